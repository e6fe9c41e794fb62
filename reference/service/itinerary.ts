/** Days between the first port of lading and the last of discharge, as they are first estimated. */
const plannedArrival = 24;

type More = Partial<Pick<Station, 'vessel' | 'container' | 'shipment' | 'document'>>;

function station(day: number, event: string, place: PlaceName, description: string, more: More = {}): Station {
  return { day, event, place, description, ...more };
}

const move = (day: number, event: string, place: PlaceName, description: string, more: More = {}) =>
  station(day, `container.transport.${event}`, place, description, more);

const sail = (vessel: VesselName, more: More = {}): More => ({ vessel, ...more });

const arrivingOn =
  (day: number): Changes =>
  ({ moment }) => ({ estimated_arrival_at: moment(day) });

const isAt =
  (status: string, more: Changes = () => ({})): Changes =>
  (calendar) => ({ current_status: status, ...more(calendar) });

/** A place that the simulated voyage comes to. */
interface Place {
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

/** The paperwork, and the empty container's way to the shipper and back full. */
const beginning: readonly Station[] = [
  station(0, 'tracking_request.succeeded', 'origin', 'Tracking has begun', { shipment: arrivingOn(plannedArrival) }),
  station(0, 'container.created', 'origin', 'The container is being tracked'),
  station(0.1, 'document.extracted', 'origin', 'The bill of lading was read', {
    document: { kind: 'bill of lading', file_name: 'bill-of-lading.pdf', pages: 2, confidence: 0.97 },
  }),
  station(0.2, 'shipment.estimated.arrival', 'discharge', 'A first estimate', {
    shipment: arrivingOn(plannedArrival + 0.5),
  }),
  move(1, 'empty_out', 'origin', 'Empty container handed to the shipper', { container: isAt('empty_out') }),
  move(2.5, 'full_in', 'origin', 'Full container received at the terminal', { container: isAt('full_in') }),
  station(2.6, 'container.updated', 'origin', 'Weighed and sealed', {
    container: () => ({ gross_weight_kg: 21_480.5, seal_number: 'CN0482913' }),
  }),
];

const feeder: readonly Station[] = [
  move(3, 'feeder_loaded', 'origin', 'Loaded on the feeder', sail('feeder', { container: isAt('on_feeder') })),
  move(3.3, 'feeder_departed', 'origin', 'Feeder departed', sail('feeder')),
  move(4, 'feeder_arrived', 'lading', 'Feeder arrived', sail('feeder')),
  move(
    4.4,
    'feeder_discharged',
    'lading',
    'Discharged from the feeder',
    sail('feeder', { container: isAt('at_port') }),
  ),
];

const ocean: readonly Station[] = [
  move(4.8, 'estimated.vessel_departed', 'lading', 'Departure expected later', sail('first')),
  move(6, 'vessel_loaded', 'lading', 'Loaded on the vessel', sail('first', { container: isAt('on_vessel') })),
  move(
    6.5,
    'vessel_departed',
    'lading',
    'Vessel departed',
    sail('first', { shipment: ({ moment }) => ({ departed_at: moment(6.5) }) }),
  ),
  move(8.5, 'transshipment_arrived', 'transshipment', 'Arrived for transshipment', sail('first')),
  move(
    9,
    'transshipment_discharged',
    'transshipment',
    'Discharged for transshipment',
    sail('first', { container: isAt('in_transshipment') }),
  ),
  move(
    11.5,
    'transshipment_loaded',
    'transshipment',
    'Loaded on the next vessel',
    sail('second', { container: isAt('on_vessel') }),
  ),
  move(12, 'transshipment_departed', 'transshipment', 'Next vessel departed', sail('second')),
  move(
    13,
    'estimated.vessel_arrived',
    'discharge',
    'Arrival expected later',
    sail('second', { shipment: arrivingOn(plannedArrival + 1) }),
  ),
  station(20, 'document.extraction_failed', 'discharge', 'The arrival notice could not be read', {
    document: {
      kind: 'arrival notice',
      file_name: 'arrival-notice-scan.pdf',
      pages: 1,
      confidence: 0.08,
      extracted_text: null,
    },
  }),
  station(22, 'container.pod_terminal_changed', 'discharge', 'To be discharged at another terminal', {
    container: () => ({ pod_terminal: 'Pier 400' }),
  }),
  move(23, 'estimated.arrived_at_inland_destination', 'inland', 'Expected at the inland ramp', {
    container: ({ moment }) => ({ estimated_inland_arrival_at: moment(32.8) }),
  }),
  move(25, 'vessel_arrived', 'discharge', 'Vessel arrived', sail('second', { container: isAt('arrived') })),
  move(25.3, 'vessel_berthed', 'discharge', 'Vessel made fast', sail('second')),
  move(
    26,
    'vessel_discharged',
    'discharge',
    'Discharged from the vessel',
    sail('second', {
      container: isAt('discharged', ({ moment }) => ({ discharged_at: moment(26) })),
    }),
  ),
];

const customsHold = { name: 'customs', description: 'Held for an examination' };

/** At the port the dates for the pickup become known; the container then goes inland by rail. */
const inland: readonly Station[] = [
  move(26.1, 'not_available', 'discharge', 'On hold', {
    container: () => ({ available_for_pickup: false, holds: [customsHold] }),
  }),
  station(26.3, 'container.pickup_lfd_terminal.changed', 'discharge', "The terminal's last free day", {
    container: ({ date }) => ({ pickup_last_free_day_terminal: date(30) }),
  }),
  station(26.4, 'container.pickup_lfd_line.changed', 'discharge', "The line's last free day", {
    container: ({ date }) => ({ pickup_last_free_day_line: date(33) }),
  }),
  station(26.5, 'container.pickup_lfd.changed', 'discharge', 'The last free day', {
    container: ({ date }) => ({ pickup_last_free_day: date(30) }),
  }),
  move(28, 'rail_loaded', 'discharge', 'Loaded on rail', { container: isAt('on_rail', () => ({ holds: [] })) }),
  move(28.5, 'rail_departed', 'discharge', 'Train departed'),
  move(32.5, 'rail_arrived', 'inland', 'Train arrived'),
  move(32.8, 'rail_unloaded', 'inland', 'Unloaded from rail', { container: isAt('at_ramp') }),
  move(32.9, 'arrived_at_inland_destination', 'inland', 'Arrived at the inland ramp'),
  station(33, 'container.pickup_lfd_rail.changed', 'inland', "The railway's last free day", {
    container: ({ date }) => ({ pickup_last_free_day_rail: date(36), pickup_last_free_day: date(36) }),
  }),
];

const ending: readonly Station[] = [
  move(33.2, 'available', 'inland', 'Ready for pickup', { container: () => ({ available_for_pickup: true }) }),
  station(33.5, 'container.pickup_appointment.changed', 'inland', 'Pickup arranged', {
    container: ({ moment }) => ({ pickup_appointment_at: moment(34.4) }),
  }),
  move(34.4, 'full_out', 'inland', 'Picked up full', {
    container: isAt('picked_up', () => ({ available_for_pickup: false })),
  }),
  move(35, 'delivered', 'inland', 'Delivered to the consignee', { container: isAt('delivered') }),
  move(38, 'empty_in', 'inland', 'Empty container returned', { container: isAt('returned') }),
  station(40, 'tracking_request.tracking_stopped', 'inland', 'Nothing more will happen'),
];

/** The voyage of a number that was found, in the order in which it happens: 40 days. */
export const itinerary: readonly Station[] = [...beginning, ...feeder, ...ocean, ...inland, ...ending];

/** The carrier knows the booking, and has no manifest yet. */
export const awaitingManifest: Station = station(0, 'tracking_request.awaiting_manifest', 'origin', 'No manifest yet');

/** The carrier does not know the number. */
export const notFound: Station = station(0, 'tracking_request.failed', 'origin', 'The number is unknown');

/** Writes simulated moments, given as days after the number was found. */
export interface Calendar {
  /** As a timestamp. */
  readonly moment: (day: number) => string;
  /** As a date. */
  readonly date: (day: number) => string;
}

/** Attributes that a resource has from now on. */
type Changes = (calendar: Calendar) => Readonly<Record<string, unknown>>;

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

type PlaceName = keyof typeof places;
