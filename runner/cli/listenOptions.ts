import { integerKind, textKind } from '../options/optionKinds.ts';
import type { OptionKind } from '../options/optionKinds.ts';
import type { Option } from '../options/option.ts';

const hostKind: OptionKind<string> = textKind('<host>', 'a name or an address of this machine');

/** Where a command that serves something listens; `port` is what it takes unless another is given. */
export function listenOptions(port: number): { readonly port: Option<number>; readonly host: Option<string> } {
  return {
    port: {
      flag: '--port',
      kind: integerKind(0, 65_535),
      group: 'Configuration',
      description: 'the port to listen on; 0 takes any free port',
      default: port,
    },
    host: {
      flag: '--host',
      kind: hostKind,
      group: 'Configuration',
      description: 'the address of this machine to listen on',
      default: '127.0.0.1',
    },
  };
}
