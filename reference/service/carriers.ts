import type { TrackingOrder } from './policies.ts';
import type { LookUp, Problem } from './records.ts';

/** A shipping line that carries containers. */
export interface Carrier {
  readonly name: string;
  /** Owner codes of its containers (ISO 6346, four letters), where they differ from its SCAC. */
  readonly owners: readonly string[];
  /** How its booking numbers begin, where it uses letters. */
  readonly bookings: readonly string[];
}

/** The shipping lines that the stand-in knows, by SCAC (the NMFTA keeps the list of all). */
export const carriers: Readonly<Record<string, Carrier>> = {
  ACLU: { name: 'Atlantic Container Line', owners: ['ACLU'], bookings: [] },
  ANNU: { name: 'ANL', owners: ['ANNU'], bookings: ['ANN'] },
  APLU: { name: 'APL', owners: ['APZU', 'APHU'], bookings: ['APL'] },
  CMDU: { name: 'CMA CGM', owners: ['CMAU', 'CGMU', 'ECMU'], bookings: ['CMA'] },
  COSU: { name: 'COSCO Shipping Lines', owners: ['CBHU', 'CCLU', 'CSLU', 'CSNU'], bookings: ['COS'] },
  CULU: { name: 'China United Lines', owners: ['CULU'], bookings: [] },
  EGLV: { name: 'Evergreen Line', owners: ['EGHU', 'EISU', 'EITU', 'EMCU'], bookings: ['EGL'] },
  HDMU: { name: 'HMM', owners: ['HDMU', 'HMMU', 'KOCU'], bookings: ['HDM'] },
  HLCU: { name: 'Hapag-Lloyd', owners: ['HLXU', 'HLBU', 'HAMU'], bookings: ['HLC'] },
  KMTU: { name: 'KMTC Line', owners: ['KMTU'], bookings: ['KMT'] },
  MAEU: { name: 'Maersk', owners: ['MSKU', 'MRKU', 'MRSU', 'MAEU'], bookings: ['MAE'] },
  MATS: { name: 'Matson', owners: ['MATU'], bookings: ['MAT'] },
  MSCU: { name: 'MSC', owners: ['MEDU', 'MSDU', 'MSMU', 'MSCU'], bookings: ['MSC', 'EBK'] },
  ONEY: { name: 'Ocean Network Express', owners: ['ONEU', 'NYKU', 'MOAU', 'KKFU'], bookings: ['ONE'] },
  OOLU: { name: 'OOCL', owners: ['OOCU', 'OOLU'], bookings: ['OOL'] },
  PABV: { name: 'Pacific International Lines', owners: ['PCIU', 'PILU'], bookings: ['PIL'] },

  SEAU: { name: 'Sealand', owners: ['SEAU'], bookings: ['SEA'] },
  SMLM: { name: 'SM Line', owners: ['SMCU'], bookings: ['SML'] },
  SUDU: { name: 'Hamburg Süd', owners: ['SUDU'], bookings: ['SUD'] },
  TSLN: { name: 'T.S. Lines', owners: ['TSLU'], bookings: ['TSL'] },
  WHLC: { name: 'Wan Hai Lines', owners: ['WHLU', 'WHSU'], bookings: ['WHL'] },
  YMLU: { name: 'Yang Ming', owners: ['YMLU', 'YMMU'], bookings: ['YML'] },
  ZIMU: { name: 'ZIM', owners: ['ZIMU', 'ZCSU'], bookings: ['ZIM'] },
};

/**
 * The line that a number belongs to: bills of lading begin with its SCAC, containers with the code of their owner, some
 * bookings with letters of its own. Bookings in digits alone show nothing.
 */
export function inferScac(number: string): string | undefined {
  const text = number.trim().toUpperCase();
  const [scac] =
    Object.entries(carriers).find(([code, { owners }]) => [code, ...owners].some((start) => text.startsWith(start))) ??
    Object.entries(carriers).find(([, { bookings }]) => bookings.some((start) => text.startsWith(start))) ??
    [];
  return scac;
}

const attributes = '/data/attributes';

/** Values of request_type that are known (GAP-2). */
const requestTypes = ['bill_of_lading', 'booking_number', 'container'];

/** What speaks against tracking a number (section 2.3), before the carrier is asked. */
export function trackingProblems({ type, number, scac }: TrackingOrder): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (rule: string, name: string, detail: string) =>
    problems.push({ status: 422, rule, pointer: `${attributes}/${name}`, detail });
  if (!requestTypes.includes(type)) {
    add('request-type', 'request_type', `The request_type is unknown. Valid are ${requestTypes.join(', ')}.`);
  }
  if (!/^[A-Z0-9]{8,14}$/.test(number)) {
    add(
      'request-number',
      'request_number',
      'The request_number is none of a shipping line: 8 to 14 capital letters and digits. References of a forwarder are not known to the line.',
    );
  }
  if (!Object.hasOwn(carriers, scac)) {
    add(
      'carrier',
      'scac',
      `The scac is no shipping line's that this service knows. Valid are ${Object.keys(carriers).join(', ')}.`,
    );
  }
  return problems;
}

/**
 * What the simulated carrier says: it does not know numbers that end in 404, it has no manifest yet for those that end
 * in 202, and it finds every other.
 */
export function lookUp({ number }: TrackingOrder): LookUp {
  if (number.endsWith('404')) return 'unknown';
  return number.endsWith('202') ? 'awaiting-manifest' : 'found';
}
