import { beforeEach, describe, expect, test, vi } from 'vitest';
import { followHappenings } from './happenings-stream.ts';

/** The browser's class, without a connection. */
class Source {
  static readonly CLOSED = 2;
  static all: Source[] = [];
  readyState = 0;
  onopen = () => {};
  onerror = () => {};
  onmessage = (_message: { data: string; lastEventId: string }) => {};
  readonly url: string;
  constructor(url: string) {
    this.url = url;
    Source.all.push(this);
  }
  close() {}
}

const tab = Object.assign(new EventTarget(), { visibilityState: 'visible' });
function turn(visibilityState: 'visible' | 'hidden') {
  tab.visibilityState = visibilityState;
  tab.dispatchEvent(new Event('visibilitychange'));
}
const event = { data: JSON.stringify({ event: 'file.created', delivery_id: 'evt_1', data: {} }), lastEventId: 'evt_1' };

describe('the event stream of a page', () => {
  const missed = vi.fn();
  const newest = () => Source.all.at(-1) as Source;

  beforeEach(() => {
    Source.all = [];
    missed.mockClear();
    tab.visibilityState = 'visible';
    vi.stubGlobal('EventSource', Source);
    vi.stubGlobal('document', tab);
    return () => vi.unstubAllGlobals();
  });
  const follow = () => followHappenings({ types: ['file.created'], heard: () => {}, missed });

  test('reports no gap when it opens for the first time', () => {
    const stop = follow();
    newest().onopen();
    expect(missed).not.toHaveBeenCalled();
    stop();
  });

  test('reports a gap if the page was hidden at first, because its content is older than the stream', () => {
    tab.visibilityState = 'hidden';
    const stop = follow();
    expect(Source.all).toEqual([]);
    turn('visible');
    newest().onopen();
    expect(missed).toHaveBeenCalledTimes(1);
    stop();
  });

  test('reports a gap if the page was hidden before the first event, because there is none to continue after', () => {
    const stop = follow();
    newest().onopen();
    turn('hidden');
    turn('visible');
    newest().onopen();
    expect(missed).toHaveBeenCalledTimes(1);
    stop();
  });

  test('continues after the last event when the page is visible again', () => {
    const stop = follow();
    newest().onopen();
    newest().onmessage(event);
    turn('hidden');
    turn('visible');
    newest().onopen();
    expect(newest().url).toContain('after=evt_1');
    expect(missed).not.toHaveBeenCalled();
    stop();
  });

  test('reports a gap if the service refuses to continue', () => {
    vi.useFakeTimers();
    const stop = follow();
    newest().onopen();
    newest().onmessage(event);
    newest().readyState = Source.CLOSED;
    newest().onerror();
    vi.advanceTimersByTime(20_000);
    newest().onopen();
    expect(newest().url).not.toContain('after=');
    expect(missed).toHaveBeenCalledTimes(1);
    stop();
    vi.useRealTimers();
  });
});
