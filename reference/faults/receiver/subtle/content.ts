import type { ReceiverFaults } from '../fault.ts';
import { spelledId } from '../collectWatching.ts';
import type { Notification } from '../../../receiver/records.ts';

const kibibyte = 1024;

/** Bytes up to which a body is kept beside its id. */
const inline = 64 * kibibyte;

/** Bytes of a body that are looked at to find the id. */
const beginning = 16 * kibibyte;

function hasOutsideBmp({ value }: Notification): boolean {
  return /[\u{10000}-\u{10ffff}]/u.test(JSON.stringify(value));
}

/** Whether what is before `data` is longer than what is looked at. */
function beginsLate(body: Buffer, { value }: Notification): boolean {
  const names = Object.keys(value as object);
  return body.length > beginning && names.indexOf('included') >= 0 && names.indexOf('included') < names.indexOf('data');
}

/** A body that is unusual in two ways at once, or that is no JSON (RCV-2, VRF-1, IDM-2). */
export const subtleContentFaults: ReceiverFaults = {
  'fails-on-a-large-body-with-text-outside-the-bmp': {
    summary: 'Keeps bodies over 64 KiB in a table of their own, which holds no character beyond U+FFFF.',
    breaks: ['RCV-2'],
    change: (policies) => ({
      ...policies,
      accept: async (notification, store, delivery) => {
        if (delivery.body.length > inline && hasOutsideBmp(notification)) throw new Error('Incorrect string value');
        return policies.accept(notification, store, delivery);
      },
    }),
  },
  'looks-for-the-id-in-the-first-16-kib': {
    summary: 'Reads the first 16 KiB to find the id, and finds none where a long `included` stands before `data`.',
    breaks: ['RCV-2', 'VRF-1'],
    change: (policies) => ({
      ...policies,
      read: (body) => {
        const notification = policies.read(body);
        return notification !== undefined && beginsLate(body, notification) ? undefined : notification;
      },
    }),
  },
  'forgets-an-id-of-which-a-malformed-copy-came': {
    summary: 'Forgets the id that stands in a body that is no JSON, as if its notification had failed.',
    breaks: ['IDM-2', 'IDM-3'],
    change: (policies) => {
      const times = new Map<string, number>();
      return {
        ...policies,
        read: (body) => {
          const notification = policies.read(body);
          const id = notification === undefined ? spelledId(body.toString('latin1')) : undefined;
          if (id !== undefined && times.has(id)) times.set(id, times.get(id)! + 1);
          return notification;
        },
        accept: (notification, store) => {
          const { id } = notification;
          const before = times.get(id) ?? 0;
          times.set(id, before);
          return store.accept({ ...notification, key: `${id} ${before}` });
        },
      };
    },
  },
};
