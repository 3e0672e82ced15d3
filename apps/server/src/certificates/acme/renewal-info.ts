import type { X509Certificate } from 'node:crypto';
import { ask, retryAfterOf } from './session.ts';
import { renewalIdOf } from './x509.ts';

export type Window = { start: Date; end: Date };
export type RenewalInfo = { window: Window; askAgainMs: number };

const hourMs = 3_600_000;
const seldom = 6 * hourMs;

/**
 * Asks the authority when to renew (RFC 9773). This can be early if the authority has to revoke many certificates. Null
 * if it does not respond.
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
  // Also rejects invalid dates.
  if (!(window.start < window.end)) return null;
  // Limits the authority's interval to between one minute and one day (section 4.3).
  const askAgainMs = Math.min(24 * hourMs, Math.max(60_000, retryAfterOf(answer) ?? seldom));
  return { window, askAgainMs };
}

/**
 * Chooses a random time in the window, so that not all clients renew at its start. A time that was chosen earlier is
 * kept while it is inside the window.
 */
export function chooseTime({ start, end }: Window, chosen: Date | null, random = Math.random): Date {
  if (chosen && chosen >= start && chosen <= end) return chosen;
  return new Date(start.getTime() + random() * (end.getTime() - start.getTime()));
}

/** The renewal time if the authority suggests none: when a third of the certificate's lifetime is left. */
export function defaultTime({ validFromDate, validToDate }: X509Certificate): Date {
  const life = validToDate.getTime() - validFromDate.getTime();
  return new Date(validToDate.getTime() - life / 3);
}
