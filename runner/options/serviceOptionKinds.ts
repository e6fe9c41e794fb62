import type { TrackedNumber } from '../../suites/serviceDraw.ts';
import { several, scalar } from './optionKinds.ts';
import type { OptionKind } from './optionKinds.ts';

/** A shipping line's SCAC and a number of its own: `MAEU:MAEU123456789`. */
export const trackedKind: OptionKind<readonly TrackedNumber[]> = several({
  placeholder: '<SCAC:NUMBER>',
  valid: "a shipping line's SCAC and a number with a colon between them, such as MAEU:MAEU123456789",
  read: (text) => {
    const [, scac, number] = /^([^:\s]+):(\S+)$/.exec(text) ?? [];
    return scac === undefined || number === undefined ? undefined : { scac, number };
  },
});

/** Where to listen: `127.0.0.1:4020`, `[::1]:4020`, port 0 for any that is free. */
export const listenKind: OptionKind<{ readonly host: string; readonly port: number }> = scalar({
  placeholder: '<host:port>',
  valid: 'an address and a port, such as 0.0.0.0:4020 (port 0: any that is free)',
  read: (text) => {
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
    const host = bracketed ?? plain;
    return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
  },
});
