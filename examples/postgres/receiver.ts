import { accept } from './accept.ts';
import { serve } from './serve.ts';

await serve(accept);
