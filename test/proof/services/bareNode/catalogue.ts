const transport = `
  vessel_arrived estimated.vessel_arrived vessel_discharged vessel_loaded
  vessel_departed estimated.vessel_departed vessel_berthed
  rail_departed rail_arrived rail_loaded rail_unloaded
  transshipment_arrived transshipment_discharged transshipment_loaded transshipment_departed
  feeder_arrived feeder_discharged feeder_loaded feeder_departed
  empty_out full_in full_out empty_in
  arrived_at_inland_destination estimated.arrived_at_inland_destination
  available not_available delivered`;

const others = `
  shipment.estimated.arrival
  tracking_request.succeeded tracking_request.failed
  tracking_request.awaiting_manifest tracking_request.tracking_stopped
  container.created container.updated container.pod_terminal_changed
  container.pickup_lfd.changed container.pickup_lfd_line.changed container.pickup_lfd_terminal.changed
  container.pickup_lfd_rail.changed container.pickup_appointment.changed
  document.extracted document.extraction_failed`;

/** Every event that a webhook may subscribe to. */
export const catalogue: ReadonlySet<string> = new Set([
  ...words(transport).map((name) => `container.transport.${name}`),
  ...words(others),
]);

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
