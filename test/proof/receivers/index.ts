import { start as bareNode } from './bareNode.ts';
import { start as express } from './express.ts';
import { start as hono } from './hono.ts';
import { start as loadShedding } from './loadShedding.ts';
import { start as python } from './python.ts';
import { start as slowFastify } from './slowFastify.ts';
import type { StartReceiver } from './start.ts';

/** Receivers that keep the contract, each written in another way: no check may find fault with any of them. */
export const conformingReceivers: Readonly<Record<string, StartReceiver>> = {
  bareNode,
  express,
  hono,
  python,
  slowFastify,
  loadShedding,
};
