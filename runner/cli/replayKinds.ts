import { receiverChecks } from '../../suites/receiver/index.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import { receiverPlan } from '../receiverPlan.ts';
import { replayCase } from '../replayCase.ts';
import {
  receiverReplayOptions,
  serviceReplayOptions,
  type ReceiverReplaySettings,
  type ServiceReplaySettings,
} from '../replayOptions.ts';
import { tokenVariable } from '../service/redacted.ts';
import { replayServiceCase } from '../service/replayServiceCase.ts';
import { servicePlan } from '../service/servicePlan.ts';
import { resolveSettings } from '../settings.ts';
import { secretVariable } from '../withoutSecrets.ts';
import { playLazily } from './playLazily.ts';
import type { ReplayKind } from './replaySaved.ts';

/** How a case of a receiver is tried again. */
export const receiverReplay: ReplayKind<ReceiverReplaySettings> = {
  secret: { flag: '--secret', variable: secretVariable },
  secretsOf: ({ secret }) => secret,
  knows: (check) => receiverChecks.some(({ id }) => id === check),
  read: (sources) => resolveSettings(receiverReplayOptions, sources),
  async replay(url, settings, saved, signal) {
    const { seed, intensity, check } = saved;
    const own = { seed, intensity, only: [check], signal };
    return replayCase(await receiverPlan(url, { ...settings, ...own, play: playLazily }), saved);
  },
};

/** How a case of a service is tried again. */
export const serviceReplay: ReplayKind<ServiceReplaySettings> = {
  secret: { flag: '--token', variable: tokenVariable },
  secretsOf: ({ token }) => (token === undefined ? [] : [token]),
  knows: (check) => serviceChecks.some(({ id }) => id === check),
  read: (sources) => resolveSettings(serviceReplayOptions, sources),
  async replay(url, settings, saved, signal) {
    const { seed, intensity, check } = saved;
    const own = { seed, intensity, only: [check], signal };
    return replayServiceCase(await servicePlan(url, { ...settings, ...own, secondOpinion: false }), saved);
  },
};
