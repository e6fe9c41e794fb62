import 'reflect-metadata';
import { createHmac, timingSafeEqual } from 'node:crypto';

import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Module,
  Param,
  ParseUUIDPipe,
  Post,
  type RawBodyRequest,
  Req,
  UnauthorizedException,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request } from 'express';

const secret = process.env['WEBHOOK_SECRET'] ?? 'only-for-trying';
const effects = new Map<string, number>();

@Controller()
class HooksController {
  @Post('hooks')
  @HttpCode(202)
  async take(
    @Req() { rawBody }: RawBodyRequest<Request>,
    @Headers('X-SVC-Webhook-Signature') signature: string | undefined,
    @Body('data') data: { id?: unknown } | undefined,
  ): Promise<void> {
    if (rawBody === undefined || !isSigned(rawBody, signature)) throw new UnauthorizedException();
    // Wrong: nobody promised that the ids are UUIDs of version 4.
    const id = String(data?.id);
    await new ParseUUIDPipe({ version: '4' }).transform(id, { type: 'body' });
    if (!effects.has(id)) effects.set(id, 1);
  }

  /** The probe: how often did this notification take effect? */
  @Get('effects/:id')
  effects(@Param('id') id: string): { count: number } {
    return { count: effects.get(id) ?? 0 };
  }
}

@Module({ controllers: [HooksController] })
class AppModule {}

function isSigned(body: Buffer, signature = ''): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const app = await NestFactory.create<NestExpressApplication>(AppModule, { rawBody: true, logger: false });
// Every media type is read as JSON, and kept as raw bytes.
app.useBodyParser('json', { type: () => true, limit: '16mb' });
await app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
console.log(await app.getUrl());
