/** Takes metrics: the events of a virtual user, as Artillery passes them. */
export interface Metrics {
  emit(event: string, ...values: readonly unknown[]): unknown;
}
