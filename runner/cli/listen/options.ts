import { integerKind, pathKind, switchKind, textKind, textsKind } from '../../options/optionKinds.ts';
import { sharedOptions } from '../../options/options.ts';
import { option } from '../../options/option.ts';

const { allowRemote, assume, ca, contract, insecure, list, only, openapi, skip } = sharedOptions;

/** What `seaworthy listen` takes. */
export const listenCommandOptions = {
  port: option({
    flag: '--port',
    kind: integerKind(0, 65_535),
    group: 'Configuration',
    description: 'the port of 127.0.0.1 to listen on; 0 takes any free port',
    default: 4012,
  }),
  secret: option({
    flag: '--secret',
    kind: textsKind('<secret>', 'any text but the empty one'),
    group: 'Target',
    description: 'the secret that deliveries are signed with; with several, any of them may have signed one',
    environment: 'SEAWORTHY_SECRET',
    default: [],
    defaultText: 'a new one, which is printed',
  }),
  forward: option({
    flag: '--forward',
    kind: textKind('<url>', 'an http or https URL'),
    group: 'Target',
    description: 'pass each delivery on to this receiver, byte for byte, and answer as it does',
    defaultText: 'nothing is passed on',
  }),
  exec: option({
    flag: '--exec',
    kind: textKind('<command>', 'a shell command'),
    group: 'Target',
    description:
      'run this command for each delivery, one after the other: the body is its standard input, and SEAWORTHY_EVENT, SEAWORTHY_ID, SEAWORTHY_ATTEMPT and others are in its environment',
    defaultText: 'none',
  }),
  record: option({
    flag: '--record',
    kind: pathKind,
    group: 'Reports',
    description: 'write a journal of all deliveries to this file, for seaworthy report',
    defaultText: 'none',
  }),
  page: option({
    flag: '--no-page',
    kind: switchKind,
    group: 'Reports',
    description: 'serve no web page',
    default: true,
  }),
  only: option({ ...only, description: 'check only this, by check id or requirement id: caught/signature/*' }),
  skip: option({ ...skip, description: 'leave these checks out, by check id or requirement id' }),
  list: option({ ...list, description: 'show the checks and listen to nothing' }),
  ca,
  insecure,
  allowRemote,
  contract,
  openapi,
  assume,
} as const;
