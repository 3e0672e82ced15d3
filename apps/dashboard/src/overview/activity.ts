import type { StreamedEvent } from '@bottega/contract';

/** The part of a project's event that is shown. The catalogue defines its data. */
export type Happened = {
  type: string;
  at: string;
  who: string | null;
  /** What the event is about: a path, a name or an environment. */
  what: string;
  /** The number of similar events in a row that this entry stands for. */
  count: number;
};

/** Event types that matter to people. Builds are shown as their deployments. */
export const toldTypes = [
  'file.created',
  'file.updated',
  'file.deleted',
  'deployment.completed',
  'deployment.failed',
  'collaboration.joined',
  'collaboration.left',
  'variable.updated',
  'domain.verified',
  'domain.failed',
  'comment.created',
  'merge_request.opened',
  'merge_request.merged',
  'review.submitted',
] as const;

type Reference = Extract<StreamedEvent, { delivery_id: string }>;
type Data = Record<string, unknown>;

const nameIn = (value: unknown): string | null => (value as { name?: string | null } | null)?.name ?? null;
const textIn = (data: Data, field: string): string => String(data[field] ?? '');

const requestIn = (data: Data): string => `!${textIn(data, 'number')} ${textIn(data, 'title')}`;

const readers: Record<string, (data: Data) => Pick<Happened, 'who' | 'what'>> = {
  file: (data) => ({ who: nameIn(data.updated_by), what: textIn(data, 'file_path') }),
  deployment: (data) => ({ who: nameIn(data.deployed_by), what: textIn(data, 'environment') }),
  collaboration: (data) => ({ who: nameIn(data.collaborator), what: textIn(data, 'role') }),
  variable: (data) => ({ who: nameIn(data.updated_by), what: textIn(data, 'name') }),
  comment: (data) => ({ who: nameIn(data.author), what: textIn(data, 'file_path') }),
  merge_request: (data) => ({ who: nameIn(data.author), what: requestIn(data) }),
  review: (data) => ({ who: nameIn(data.author), what: requestIn(data) }),
  domain: (data) => ({ who: null, what: textIn(data, 'domain') }),
};

/**
 * The activity, newest first, in the order of arrival. Several files that one person changed in a row become one line.
 */
export function happenedOf(events: readonly StreamedEvent[]): Happened[] {
  const told: Happened[] = [];
  for (const { event: type, timestamp: at, data } of events as Reference[]) {
    const family = type.split('.')[0] ?? '';
    const read = readers[family]?.(data);
    if (!read) continue;
    const last = told.at(-1);
    if (last && family === 'file' && last.type.startsWith('file.') && last.who === read.who) {
      last.count++;
      if (last.type !== type) last.type = 'file.updated';
    } else told.push({ type, at, ...read, count: 1 });
  }
  return told;
}
