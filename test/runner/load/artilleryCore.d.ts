/** What the tests use of Artillery's HTTP engine, which ships no types. */
declare module '@artilleryio/int-core/lib/engine_http.js' {
  import type { ArtilleryEngine } from '../../../runner/load/artillery.ts';

  export default class HttpEngine {
    constructor(script: { readonly config: object });
    init(): Promise<void>;
    createScenario: ArtilleryEngine['createScenario'];
  }
}

declare module '@artilleryio/int-commons' {
  import type { EngineUtil } from '../../../runner/load/artilleryEngine.ts';

  export const engine_util: EngineUtil;
}
