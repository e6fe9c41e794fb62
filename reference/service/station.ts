import type { PlaceName } from './places.ts';

/** Writes simulated moments, given as days after the number was found. */
export interface Calendar {
  /** As a timestamp. */
  readonly moment: (day: number) => string;
  /** As a date. */
  readonly date: (day: number) => string;
}

/** Attributes that a resource has from now on. */
export type Changes = (calendar: Calendar) => Readonly<Record<string, unknown>>;

/** Something that happens on a simulated voyage. */
export interface Station {
  /** Simulated days after the number was found. */
  readonly day: number;
  readonly event: string;
  readonly place: PlaceName;
  /** What a transport event says of it. */
  readonly description: string;
  readonly vessel?: VesselName;
  readonly container?: Changes;
  readonly shipment?: Changes;
  readonly document?: Readonly<Record<string, unknown>>;
}

/** The vessels of the voyage: a feeder on the river, one to the port of transshipment, one over the ocean. */
export type VesselName = 'feeder' | 'first' | 'second';
