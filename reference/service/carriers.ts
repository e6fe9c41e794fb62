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
 * bookings with letters of its own. Bookings in digits alone tell nothing.
 */
export function inferScac(number: string): string | undefined {
  const text = number.trim().toUpperCase();
  const [scac] =
    Object.entries(carriers).find(([code, { owners }]) => [code, ...owners].some((start) => text.startsWith(start))) ??
    Object.entries(carriers).find(([, { bookings }]) => bookings.some((start) => text.startsWith(start))) ??
    [];
  return scac;
}
