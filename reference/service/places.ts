/** A place that the simulated voyage comes to. */
export interface Place {
  readonly name: string;
  readonly locode: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly timeZone: string;
  readonly terminal: string;
  /** The code that customs in the United States know the terminal by. */
  readonly firms: string | null;
}

/** From a river port in China by way of Shanghai and Busan to Los Angeles, and by rail to Chicago. */
export const places = {
  origin: {
    name: 'Nanjing 南京',
    locode: 'CNNKG',
    latitude: 32.2,
    longitude: 118.8,
    timeZone: 'Asia/Shanghai',
    terminal: 'Nanjing Longtan Container Terminal',
    firms: null,
  },
  lading: {
    name: 'Shanghai',
    locode: 'CNSHA',
    latitude: 30.62,
    longitude: 122.07,
    timeZone: 'Asia/Shanghai',
    terminal: 'Yangshan Deep-Water Port, phase IV',
    firms: null,
  },
  transshipment: {
    name: 'Busan 부산',
    locode: 'KRPUS',
    latitude: 35.08,
    longitude: 128.83,
    timeZone: 'Asia/Seoul',
    terminal: 'Busan New Port, terminal 4',
    firms: null,
  },
  discharge: {
    name: 'Los Angeles',
    locode: 'USLAX',
    latitude: 33.74,
    longitude: -118.27,
    timeZone: 'America/Los_Angeles',
    terminal: 'Pier 400',
    firms: 'W185',
  },
  inland: {
    name: 'Chicago',
    locode: 'USCHI',
    latitude: 41.83,
    longitude: -87.68,
    timeZone: 'America/Chicago',
    terminal: 'Logistics Park ramp',
    firms: 'H572',
  },
} as const satisfies Readonly<Record<string, Place>>;

export type PlaceName = keyof typeof places;
