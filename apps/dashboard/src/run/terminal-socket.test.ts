import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectTerminal, isReport } from './terminal-socket.ts';

class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readonly url: string;
  readyState = 0;
  sent: unknown[] = [];
  declare onopen: () => void;
  declare onmessage: (message: { data: ArrayBuffer | string }) => void;
  declare onclose: (event: { code: number }) => void;
  constructor(url: string) {
    this.url = url;
    FakeSocket.all.push(this);
  }
  send(data: unknown) {
    this.sent.push(data);
  }
  close() {
    this.ends(1005);
  }
  opens() {
    this.readyState = FakeSocket.OPEN;
    this.onopen();
  }
  ends(code: number) {
    this.readyState = 3;
    this.onclose({ code });
  }
}

const [received, changed] = [vi.fn(), vi.fn()];
const newest = () => FakeSocket.all.at(-1) as FakeSocket;
const bytes = (text: string) => new TextEncoder().encode(text);
const esc = String.fromCharCode(27);

let terminal: ReturnType<typeof connectTerminal>;
beforeEach(() => {
  FakeSocket.all = [];
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  received.mockReset();
  changed.mockReset();
  terminal = connectTerminal({ url: 'ws://test', received, changed, size: () => ({ cols: 90, rows: 20 }) });
});
afterEach(() => {
  terminal.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('a connection sends its size, and passes output and input', () => {
  newest().opens();
  expect(newest().sent).toEqual(['{"cols":90,"rows":20}']);
  newest().onmessage({ data: bytes('hi').buffer });
  expect(received).toHaveBeenCalledWith(bytes('hi'));
  terminal.send(bytes('ls\r'));
  expect(newest().sent.at(-1)).toEqual(bytes('ls\r'));
});

test('a broken connection is reopened at growing intervals', () => {
  newest().opens();
  for (const pause of [500, 1_000, 2_000]) {
    const before = FakeSocket.all.length;
    newest().ends(1006);
    expect(changed).toHaveBeenLastCalledWith('lost', null);
    vi.advanceTimersByTime(pause / 2 - 1);
    expect(FakeSocket.all).toHaveLength(before);
    vi.advanceTimersByTime(pause / 2 + 1);
    expect(FakeSocket.all).toHaveLength(before + 1);
  }
  newest().opens();
  expect(changed).toHaveBeenLastCalledWith('open', null);
});

test.each([
  ['a shell that has ended', 1000, 'ended'],
  ['a right that was taken away', 4003, 'over'],
])('%s does not reconnect', (_what, code, state) => {
  newest().opens();
  newest().onmessage({ data: '{"exit_code":3}' });
  newest().ends(code);
  expect(changed).toHaveBeenLastCalledWith(state, state === 'ended' ? 3 : null);
  vi.advanceTimersByTime(60_000);
  expect(FakeSocket.all).toHaveLength(1);
});

test('a closed terminal reports nothing more', () => {
  newest().opens();
  changed.mockReset();
  terminal.close();
  vi.advanceTimersByTime(60_000);
  expect(changed).not.toHaveBeenCalled();
  expect(FakeSocket.all).toHaveLength(1);
});

test('queries in repeated output are not answered, but typed input is sent', () => {
  newest().opens();
  terminal.send(bytes(`${esc}[?1;2c`));
  terminal.send(bytes(`${esc}[A`));
  expect(newest().sent.slice(1)).toEqual([bytes(`${esc}[A`)]);
  vi.advanceTimersByTime(1_001);
  terminal.send(bytes(`${esc}[?1;2c`));
  expect(newest().sent).toHaveLength(3);
});

test.each([`${esc}[12;40R`, `${esc}[>0;276;0c`, `${esc}[0n`, `${esc}[?2026;2$y`, `${esc}]11;rgb:ff/ff/ff${esc}\\`])(
  'the input %j is recognized as a report of the terminal',
  (text) => expect(isReport(text)).toBe(true),
);

test.each(['c', '\r', `${esc}[A`, `${esc}OP`, `${esc}[200~pasted${esc}[201~`])(
  'the input %j is recognized as typed by a person',
  (text) => expect(isReport(text)).toBe(false),
);
