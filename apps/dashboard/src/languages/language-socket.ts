import type { Transport } from '@codemirror/lsp-client';
import type { HelpState } from './problem-store.ts';

type Options = {
  url: string;
  /** Called when the server has answered. The editor sends and receives through this transport. */
  connected(transport: Transport): void;
  disconnected(): void;
  changed(state: HelpState): void;
};

const firstPause = 1_000;
const longestPause = 30_000;
const noRight = 4003;
const hello = 'hello';

/**
 * Keeps a connection to a language server. It is opened again whenever it breaks, and is used only after the server has
 * answered.
 */
export function connectLanguage({ url, connected, disconnected, changed }: Options): { close(): void } {
  let socket: WebSocket;
  let again: ReturnType<typeof setTimeout> | undefined;
  let [failures, isClosed, isConnected] = [0, false, false];

  function open(): void {
    const handlers = new Set<(message: string) => void>();
    socket = new WebSocket(url);
    const own = socket;
    socket.onopen = () =>
      own.send(
        JSON.stringify({
          jsonrpc: '2.0',
          id: hello,
          method: 'initialize',
          params: { processId: null, rootUri: null, capabilities: {} },
        }),
      );
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      const answer = isConnected ? null : answerIn(data);
      if (answer === null) return pass(data, handlers, changed);
      if (answer.reason !== null) return refuse(answer.reason);
      [failures, isConnected] = [0, true];
      changed({ state: 'ready', reason: null });
      connected({
        send: (message) => own.readyState === WebSocket.OPEN && own.send(message),
        subscribe: (handler) => void handlers.add(handler),
        unsubscribe: (handler) => void handlers.delete(handler),
      });
    };
    socket.onclose = ({ code, reason }) => {
      if (isConnected) disconnected();
      isConnected = false;
      if (isClosed) return;
      if (code === noRight) return changed({ state: 'over', reason: null });
      if (reason !== '' && code === 1008) changed({ state: 'failed', reason });
      retry();
    };
  }

  function refuse(reason: string): void {
    changed({ state: 'failed', reason });
    failures = Math.max(failures, 4);
    socket.close();
  }

  function retry(): void {
    again = setTimeout(open, Math.min(longestPause, firstPause * 2 ** failures) * (0.5 + Math.random() / 2));
    failures += 1;
  }

  open();
  return {
    close() {
      isClosed = true;
      clearTimeout(again);
      socket.close();
    },
  };
}

/** Null if it is not the answer to our first message. */
function answerIn(data: string): { reason: string | null } | null {
  const { id, error } = JSON.parse(data) as { id?: unknown; error?: { message: string } };
  return id === hello ? { reason: error?.message ?? null } : null;
}

function pass(data: string, handlers: Set<(message: string) => void>, changed: Options['changed']): void {
  if (data.includes('"$/status"')) {
    const { method, params } = JSON.parse(data) as { method?: string; params: HelpState };
    if (method === '$/status') {
      changed(params);
      return;
    }
  }
  for (const handler of handlers) handler(data);
}
