import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { createSummary } from '../../reports/model/summary.ts';
import { runService } from '../../runner/service/runService.ts';
import { servicePlan } from '../../runner/service/servicePlan.ts';
import { containersSkipped, containersSkippedWhy, testImage } from '../runner/process/testImage.ts';
import { complaints } from './testReceiver.ts';

const program = fileURLToPath(new URL('livingServices/leased.ts', import.meta.url));

test.skipIf(containersSkipped)(
  `a service in a container reaches the kit, also after it was killed${containersSkippedWhy}`,
  { timeout: 180_000 },
  async () => {
    const words = ['/usr/bin/node', '/leased.ts', '0.0.0.0', '8080', '/service.db', 'the-key'];
    const image = await testImage('service', words, (folder) => cp(program, join(folder, 'leased.ts')));
    try {
      const plan = await servicePlan('/v2', {
        image: image.name,
        port: 8080,
        token: 'the-key',
        emit: '/emit',
        only: ['service/crashes/in-flight'],
        intensity: 'quick',
        seed: 5,
        settle: 500,
        retryWindow: 10_000,
        secondOpinion: false,
        directory: join(tmpdir(), 'seaworthy-proof'),
        assume: { 'delivery.timeout': '250ms' },
      });
      const summary = createSummary();
      for await (const event of runService(plan)) summary.add(event);
      const { checks, errors } = summary.summary();
      expect({ complaints: complaints(summary.summary()), errors }).toEqual({ complaints: [], errors: [] });
      expect(checks.map(({ outcome }) => outcome)).toEqual(['passed']);
    } finally {
      await image.remove();
    }
  },
);
