import { enableCompileCache } from 'node:module';

// A start takes half as long where the sources were compiled before.
enableCompileCache();
await import('./start.ts');
