import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { gatherStale, heardTypes } from './happening-queries.ts';
import { followHappenings } from './happenings-stream.ts';

class FakeSource {
  static readonly CLOSED = 2;
  static all: FakeSource[] = [];
  readonly url: string;
  readyState = 0;
  declare onopen: () => void;
  declare onerror: () => void;
  declare onmessage: (message: { data: string; lastEventId: string }) => void;
  constructor(url: string) {
    this.url = url;
    FakeSource.all.push(this);
  }
  close() {
    this.readyState = FakeSource.CLOSED;
  }
  isRefused() {
    this.readyState = FakeSource.CLOSED;
    this.onerror();
  }
}

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
const show = (visibilityState: string) => {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event('visibilitychange'));
};
const newest = () => FakeSource.all.at(-1) as FakeSource;
const isOpen = (source: FakeSource) => source.readyState !== FakeSource.CLOSED;
const message = (id: string) => ({
  data: JSON.stringify({ event: 'file.updated', delivery_id: id, data: { project_id: 'prj_1', file_path: '/a' } }),
  lastEventId: `after-${id}`,
});

const [heard, missed] = [vi.fn(), vi.fn()];
let stop: () => void;
beforeEach(() => {
  FakeSource.all = [];
  page.visibilityState = 'visible';
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeSource);
  vi.stubGlobal('document', page);
  heard.mockReset();
  missed.mockReset();
  stop = followHappenings({ types: ['file.updated'], heard, missed });
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('the page requests the event types that it handles, and receives each event with its project', () => {
  expect(newest().url).toBe('/v1/events?types=file.updated&format=reference');
  newest().onmessage(message('evt_1'));
  const data = { project_id: 'prj_1', file_path: '/a' };
  expect(heard.mock.calls).toEqual([[{ id: 'evt_1', type: 'file.updated', projectId: 'prj_1', data }]]);
});

test('a broken stream resumes after the last event, and reconnects at growing intervals', () => {
  newest().onmessage(message('evt_1'));
  for (const pause of [1_000, 2_000, 4_000]) {
    const before = FakeSource.all.length;
    newest().onerror();
    vi.advanceTimersByTime(pause / 2 - 1);
    expect(FakeSource.all).toHaveLength(before);
    vi.advanceTimersByTime(pause / 2 + 1);
    expect(FakeSource.all).toHaveLength(before + 1);
    expect(newest().url).toContain('&after=after-evt_1');
  }
  newest().onopen();
  expect(missed).not.toHaveBeenCalled();
});

test('a refused stream waits much longer, starts from the beginning, and reports that events may be missing', () => {
  newest().onmessage(message('evt_1'));
  newest().isRefused();
  vi.advanceTimersByTime(4_999);
  expect(FakeSource.all).toHaveLength(1);
  vi.advanceTimersByTime(5_001);
  expect(newest().url).not.toContain('after=');
  newest().onopen();
  expect(missed).toHaveBeenCalledOnce();
});

test('a hidden page holds no connection, and resumes after the last event once it is visible', () => {
  newest().onmessage(message('evt_1'));
  show('hidden');
  expect(FakeSource.all.some(isOpen)).toBe(false);
  show('visible');
  expect(isOpen(newest())).toBe(true);
  expect(newest().url).toContain('&after=after-evt_1');
  stop();
  expect(FakeSource.all.some(isOpen)).toBe(false);
});

test('many events in a moment make each query stale only once', () => {
  const invalidate = vi.fn();
  const stale = gatherStale(invalidate);
  for (let n = 0; n < 1_000; n++) stale.heard({ type: 'file.created', projectId: 'prj_1' });
  expect(invalidate).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(invalidate.mock.calls.flat()).toEqual([
    { queryKey: ['webhooks'] },
    { queryKey: ['projects', 'prj_1', 'files'] },
    { queryKey: ['projects', 'prj_1', 'commits'] },
    { queryKey: ['projects', 'prj_1', 'branches'] },
    { queryKey: ['projects', 'prj_1', 'activity'] },
  ]);
});

test.each(['started', 'slept', 'failed', 'branch_changed', 'port_opened'] as const)(
  'workspace.%s makes the workspaces stale',
  (name) => {
    const invalidate = vi.fn();
    gatherStale(invalidate).heard({ type: `workspace.${name}`, projectId: 'prj_1' });
    vi.runAllTimers();
    expect(invalidate).toHaveBeenCalledWith({ queryKey: ['projects', 'prj_1', 'workspaces'] });
  },
);

test.each(['review.commented', 'review.submitted', 'merge_request.updated'] as const)(
  '%s makes the merge requests stale, with everything that is read about them',
  (type) => {
    const invalidate = vi.fn();
    gatherStale(invalidate).heard({ type, projectId: 'prj_1' });
    vi.runAllTimers();
    expect(invalidate).toHaveBeenCalledWith({ queryKey: ['projects', 'prj_1', 'merge-requests'] });
  },
);

test('the page does not listen to downloads, which are sent only on request', () => {
  expect(heardTypes).not.toContain('file.downloaded');
});
