import { Activity } from '../engine/activity.ts';

/** One case after the other, each from its start to its end: also while it waits, nobody else comes in. */
export class SoloActivity extends Activity {
  constructor(onIdle: () => void) {
    super(1, onIdle);
  }

  override park<T>(wait: Promise<T>): Promise<T> {
    return wait;
  }
}
