import type { X509Certificate } from 'node:crypto';
import { ask, retryAfterOf } from './session.ts';
import { renewalIdOf } from './x509.ts';

export type Window = { start: Date; end: Date };
export type RenewalInfo = { window: Window; askAgainMs: number };

const hourMs = 3_600_000;
const seldom = 6 * hourMs;

/**
 * When the authority wants the certificate to be renewed (RFC 9773): earlier where it has to revoke many. Null where it
 * does not say so now.
 */
export async function askRenewalInfo(
  renewalInfo: string,
  certificate: X509Certificate,
  signal: AbortSignal,
): Promise<RenewalInfo | null> {
  const id = renewalIdOf(certificate);
  if (id === null) return null;
  const answer = await ask(`${renewalInfo.replace(/\/$/, '')}/${id}`, { signal });
  if (!answer.ok) return null;
  const { suggestedWindow } = (await answer.json().catch(() => ({}))) as {
    suggestedWindow?: Record<'start' | 'end', string>;
  };
  const window = { start: new Date(suggestedWindow?.start ?? ''), end: new Date(suggestedWindow?.end ?? '') };
  // Neither a date that is none nor one before the other.
  if (!(window.start < window.end)) return null;
  // Not more often than once a minute, and once a day at least, whatever it says (section 4.3).
  const askAgainMs = Math.min(24 * hourMs, Math.max(60_000, retryAfterOf(answer) ?? seldom));
  return { window, askAgainMs };
}

/** What was chosen stays while it is still within the window: all who have a certificate would else meet at its beginning. */
export function chooseTime({ start, end }: Window, chosen: Date | null, random = Math.random): Date {
  if (chosen && chosen >= start && chosen <= end) return chosen;
  return new Date(start.getTime() + random() * (end.getTime() - start.getTime()));
}

/** Where the authority says nothing: with a third of its life left, however long that is. */
export function defaultTime({ validFromDate, validToDate }: X509Certificate): Date {
  const life = validToDate.getTime() - validFromDate.getTime();
  return new Date(validToDate.getTime() - life / 3);
}
