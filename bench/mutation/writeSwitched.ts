import { writeFileSync } from 'node:fs';

import { listMutants } from './mutants.ts';

// Into the files themselves: to be done in a copy, and undone once it is known which tests come by where.
const { switched } = await listMutants();
for (const { name, content } of switched) writeFileSync(name, content);
