import { Unproven, type ServiceFinding } from '../check.ts';
import type { Caught, FoundSignature } from '../exchange.ts';
import type { ServiceKit, Webhook } from '../serviceKit.ts';
import { finding } from '../finding.ts';
import { signatureMistake } from '../caught/signatureMistake.ts';

/** The secret that the creation gave out. @throws Unproven where it gave none, which `service/registration/*` judges */
export function secretOf({ secret }: Webhook): string {
  if (typeof secret === 'string' && secret !== '') return secret;
  throw new Unproven('the creation gave out no secret, so no signature can be verified');
}

/** For checks of something else that see a signature as well. */
export const signingHint =
  'Sign the bytes that are sent, once they are made, with the secret of their webhook. If only some deliveries do not verify, look ' +
  'for what they have and others have not: a character beyond ASCII, a slash that is escaped, a digest that begins with 0, a signer that threads share.';

/**
 * Whether a delivery carries a signature of its body under its webhook's own secret: in the scheme that the contract
 * states, or any where it states none, and in the header that it names (`signature.header`). Where the contract signs nothing, or shows no secret, there is
 * nothing to judge.
 *
 * @param others - webhooks whose secrets must not be the ones that sign
 * @throws Unproven where the secret is not known
 */
export function judgeSignature(
  kit: ServiceKit,
  caught: Caught,
  { webhook, others }: { readonly webhook: Webhook; readonly others: readonly Webhook[] },
): ServiceFinding | undefined {
  const { contract, terms } = kit;
  if (contract.delivery.signature === undefined || terms.webhook.members.secret === undefined) return undefined;
  const secret = secretOf(webhook);
  const name = kit.assumption('signature.header');
  const expected = `${name} holds a signature of the body under the secret of this webhook`;
  const found = kit.signature(caught, secret);
  const exchanges = [caught];
  if (kit.header(caught, name) === undefined) {
    const actual = found ? `it stands in ${found.header}` : `attempt ${caught.number} has no header ${name}`;
    return finding('SIG-1', { expected, actual, exchanges });
  }
  if (found) return undefined;
  const foreign = others.find((other) => kit.signature(caught, secretOf(other)));
  if (foreign) {
    const actual = 'the signature verifies under the secret of another webhook';
    return finding(['WHK-9', 'SIG-2'], { expected, actual, exchanges });
  }
  const actual = unverified(kit, caught, { secret, name: `the signature of attempt ${caught.number}` });
  return finding(['SIG-2', 'WHK-9'], { expected, actual, exchanges });
}

/** Whether a retry is signed in the form of the first attempt: which one is open, but a receiver verifies one. */
export function judgeForm(
  kit: ServiceKit,
  webhook: Webhook,
  [first, retry]: readonly [Caught, Caught],
): ServiceFinding | undefined {
  const [usual, other] = [first, retry].map((caught) => formOf(kit.signature(caught, secretOf(webhook))));
  if (usual === undefined || other === undefined || usual === other) return undefined;
  return finding('SIG-2', {
    expected: `the signature has the form of that of the first attempt, ${usual}`,
    actual: `the signature is ${other}`,
    exchanges: [first, retry],
  });
}

/** Digests in base64 and base64url may look alike. */
function formOf(found: FoundSignature | undefined): string | undefined {
  if (found === undefined) return undefined;
  const name = found.scheme.name.replace('base64url', 'base64');
  return found.variant?.startsWith('hex') ? `${name}, ${found.variant}` : name;
}

/** The same for a check of something else. Where the webhook shows no secret, there is nothing to judge. */
export function judgeSigned(kit: ServiceKit, webhook: Webhook, caught: Caught): ServiceFinding | undefined {
  const found = typeof webhook.secret === 'string' ? judgeSignature(kit, caught, { webhook, others: [] }) : undefined;
  return found && { ...found, hint: signingHint };
}

/** What is wrong with a signature that does not verify. */
export function unverified(
  kit: ServiceKit,
  caught: Caught,
  { secret, name }: { readonly secret: string; readonly name: string },
): string {
  const empty = caught.body.length === 0 ? ', whose body is empty' : '';
  if (!kit.signing.isStated) return `no scheme that the kit knows verifies ${name}${empty}`;
  const lookup = (name: string) => kit.header(caught, name);
  const [{ body }, value] = [caught, kit.deliveredJson(caught)];
  const mistake = signatureMistake({ ...kit.signing, lookup, body, value, secrets: [secret] });
  return `${name} does not verify: ${mistake}`;
}
