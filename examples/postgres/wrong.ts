import { acceptInTwo } from './acceptInTwo.ts';
import { serve } from './serve.ts';

await serve(acceptInTwo);
