const carried = ['arrived', 'discharged', 'loaded', 'departed'] as const;

/** The events that section 6 lists, as a receiver with hard-wired handlers knows them. */
export const catalogue: ReadonlySet<string> = new Set([
  ...carried.map((move) => `container.transport.vessel_${move}`),
  'container.transport.vessel_berthed',
  'container.transport.estimated.vessel_arrived',
  'container.transport.estimated.vessel_departed',
  ...['departed', 'arrived', 'loaded', 'unloaded'].map((move) => `container.transport.rail_${move}`),
  ...carried.map((move) => `container.transport.transshipment_${move}`),
  ...carried.map((move) => `container.transport.feeder_${move}`),
  ...['empty_out', 'full_in', 'full_out', 'empty_in'].map((move) => `container.transport.${move}`),
  'shipment.estimated.arrival',
  ...['succeeded', 'failed', 'awaiting_manifest', 'tracking_stopped'].map((end) => `tracking_request.${end}`),
  'container.created',
  'container.updated',
  'container.pod_terminal_changed',
  'container.transport.arrived_at_inland_destination',
  'container.transport.estimated.arrived_at_inland_destination',
  ...['lfd', 'lfd_line', 'lfd_terminal', 'lfd_rail', 'appointment'].map((date) => `container.pickup_${date}.changed`),
  ...['available', 'not_available', 'delivered'].map((state) => `container.transport.${state}`),
  'document.extracted',
  'document.extraction_failed',
]);
