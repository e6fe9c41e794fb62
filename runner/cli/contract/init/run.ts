import type { CommandInput } from '../../command.ts';
export async function draftContract(_: CommandInput): Promise<number> { return 0; }
