/** The probe did not tell what it should: a fault of the probe or of its use, and nothing about the target. */
export class ProbeError extends Error {
  override readonly name = 'ProbeError';

  /**
   * @param received - what the probe did
   * @param valid - what it should do
   * @param next - what the user can do now
   */
  constructor(received: string, valid: string, next: string, options?: ErrorOptions) {
    super(`${received}. ${valid}. ${next}.`, options);
  }
}
