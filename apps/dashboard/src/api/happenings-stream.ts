import type { EventData, EventType } from '@bottega/contract';
import { linkTo } from './client.ts';

/** An event as the page receives it: the reference format of the event stream. */
export type Happening<Type extends EventType = EventType> = {
  [One in Type]: { id: string; type: One; projectId: string | null; data: EventData[One] };
}[Type];

type Options = {
  types: readonly EventType[];
  heard(happening: Happening): void;
  /** Called if events may have been missed, because the stream did not continue where the last one ended. */
  missed(): void;
};

const firstPause = 1_000;
/**
 * Pause after a refused connection, in milliseconds. A refusal means that the service or the account has too many
 * streams, so the pause is much longer than after a broken connection.
 */
const firstPauseOfRefused = 10_000;
const longestPause = 120_000;

/**
 * Follows the account's events while the page is visible, and continues after the last one when it is visible again. So
 * a browser has a connection only for the visible tab, however many tabs are open. Returns a function to stop.
 */
export function followHappenings({ types, heard, missed }: Options): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let [lastId, failures, hasGap] = ['', 0, false];

  const open = () => {
    close();
    if (document.visibilityState === 'hidden') {
      hasGap = true;
      return;
    }
    const query = { types: types.join(','), format: 'reference' as const, ...(lastId && { after: lastId }) };
    source = new EventSource(linkTo('GET /events', { query }));
    source.onopen = () => {
      failures = 0;
      // Without an event after which it could continue, the stream begins with what happens from now on.
      if (hasGap && lastId === '') missed();
      hasGap = false;
    };
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      lastId = lastEventId;
      heard(happeningOf(data));
    };
    // The browser itself would retry every second forever, so this code reconnects, with growing pauses.
    source.onerror = () => {
      const isRefused = source?.readyState === EventSource.CLOSED;
      close();
      hasGap = true;
      if (isRefused) lastId = '';
      const pause = Math.min(longestPause, (isRefused ? firstPauseOfRefused : firstPause) * 2 ** failures);
      failures += 1;
      timer = setTimeout(open, pause * (0.5 + Math.random() / 2));
    };
  };
  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };

  document.addEventListener('visibilitychange', open);
  open();
  return () => {
    document.removeEventListener('visibilitychange', open);
    close();
  };
}

function happeningOf(body: string): Happening {
  const { event, delivery_id: id, data } = JSON.parse(body);
  return { id, type: event, projectId: data.project_id ?? null, data };
}
