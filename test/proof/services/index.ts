import { start as bareNode } from './bareNode.ts';
import { start as python } from './python.ts';
import type { StartService } from './start.ts';

/** Services that keep the contract, each written in another way: no check may find fault with any of them. */
export const conformingServices: Readonly<Record<string, StartService>> = { bareNode, python };
