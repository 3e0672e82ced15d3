/** The state of the connection. `lost`: it reconnects by itself. `over`: the user no longer has the right to it. */
export type SocketState = 'connecting' | 'open' | 'lost' | 'ended' | 'over';

type Options = {
  url: string;
  received(bytes: Uint8Array): void;
  changed(state: SocketState, exitCode: number | null): void;
  /** The size to send to the shell. Null if this user does not decide on it. */
  size(): { cols: number; rows: number } | null;
};

const firstPause = 500;
const longestPause = 15_000;
const noRight = 4003;
/** Time after connecting, in milliseconds, during which the received output counts as repeated. */
const replayMs = 1_000;

/**
 * The connection of one terminal. The service repeats the last output on each new connection, so a broken connection is
 * simply opened again.
 */
export function connectTerminal({ url, received, changed, size }: Options) {
  let socket: WebSocket;
  let again: ReturnType<typeof setTimeout> | undefined;
  let [failures, openedAt] = [0, 0];
  let exitCode: number | null = null;
  let isClosed = false;

  const isOpen = () => socket.readyState === WebSocket.OPEN;
  const tellSize = () => {
    const now = size();
    if (now && isOpen()) socket.send(JSON.stringify(now));
  };
  const open = () => {
    socket = new WebSocket(url);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      [failures, openedAt] = [0, Date.now()];
      tellSize();
      changed('open', null);
    };
    socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (typeof data === 'string') exitCode = exitCodeIn(data);
      else received(new Uint8Array(data));
    };
    socket.onclose = ({ code }) => {
      if (isClosed) return;
      if (code === 1000) changed('ended', exitCode);
      else if (code === noRight) changed('over', null);
      else {
        changed('lost', null);
        again = setTimeout(open, Math.min(longestPause, firstPause * 2 ** failures) * (0.5 + Math.random() / 2));
        failures += 1;
      }
    };
  };
  open();

  return {
    tellSize,
    send(input: Uint8Array<ArrayBuffer>): void {
      const isAnswerToOld = Date.now() - openedAt < replayMs && isReport(new TextDecoder().decode(input));
      if (isOpen() && !isAnswerToOld) socket.send(input);
    },
    close(): void {
      isClosed = true;
      clearTimeout(again);
      socket.close();
    },
  };
}

function exitCodeIn(text: string): number | null {
  const { exit_code: code } = JSON.parse(text) as { exit_code?: unknown };
  return typeof code === 'number' ? code : null;
}

const esc = String.fromCharCode(27);
const report = new RegExp(`^${esc}(\\[[?>]?[\\d;]*(c|R|n|\\$y)|[P\\]])`);

/**
 * Whether an input was written by the terminal itself and not by a person: a report of its kind, its colours or the
 * cursor's position. Programs request such reports, and their requests are repeated with the old output. The shell
 * would take an answer to a repeated request for input.
 */
export const isReport = (input: string): boolean => report.test(input);
