import type { Participant, ServerMessage, Session } from '@bottega/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useSignedIn } from '../api/session.ts';
import { toastRefusal } from '../kit/toast.ts';
import { commentsQuery, liveSessionQuery, participantsQuery, whyRefused } from './live-api.ts';
import type { LiveSession, LiveState } from './live-session.ts';

export type FileOperation = Extract<ServerMessage, { type: 'file_operation' }>;
type Handlers = {
  operated: (operation: FileOperation) => void;
  saved: (message: Extract<ServerMessage, { type: 'saved' }>) => void;
};

export type Live = {
  id: string;
  session: Session | undefined;
  /** Why the session could not be read at all. Once it has been read, only the socket says whether it has ended. */
  error: unknown;
  /** Null until the code of the connection has loaded. */
  connection: LiveSession | null;
  state: LiveState;
  participants: Participant[];
  me: Participant | undefined;
  canWrite: boolean;
  following: string | null;
  follow: (userId: string | null) => void;
};

const nothing: LiveState = {
  connection: 'connecting',
  reason: null,
  waiting: 0,
  places: {},
  endsAt: null,
  savedTo: null,
};
const never = () => () => undefined;

/** The session in the URL. */
export function useLive(sessionId: string | undefined, handlers: Handlers): Live | null {
  const { user } = useSignedIn();
  const [existingId, setExistingId] = useState<string | null>(null);
  const connection = useConnection(existingId === sessionId ? sessionId : undefined, handlers);
  const state = useSyncExternalStore(connection?.subscribe ?? never, () => connection?.get() ?? nothing);
  const isOver = state.connection === 'over';
  const id = sessionId ?? '';
  const session = useQuery({
    ...liveSessionQuery(id),
    enabled: sessionId !== undefined && !isOver,
    retry: false,
    // When somebody extends the session, the others receive no message.
    refetchInterval: state.endsAt === null ? false : 10_000,
  });
  // The socket is opened only if the session exists. The socket then reports the end of the session.
  useEffect(() => {
    if (session.data) setExistingId(session.data.session_id);
  }, [session.data]);
  const { data: participants = [] } = useQuery({
    ...participantsQuery(id),
    enabled: sessionId !== undefined && !isOver && session.isSuccess,
  });
  const [following, follow] = useState<string | null>(null);
  if (sessionId === undefined) return null;
  const me = participants.find(({ user_id: userId }) => userId === user.id);
  return {
    id,
    session: session.data,
    error: session.data ? null : session.error,
    connection,
    state,
    participants,
    me,
    canWrite: !isOver && (me?.permissions.write ?? false),
    following,
    follow,
  };
}

/**
 * Whether an error reports that the branch was deleted. Such an error is not the answer to one of our messages. It is
 * not shown, because the notice about the end of the session says the same in the user's language.
 */
const tellsDeletion = ({ seq, details }: Extract<ServerMessage, { type: 'error' }>): boolean =>
  seq === undefined && 'branch' in details;

/** Connects to the session. Yjs and its provider are loaded on first use. */
function useConnection(sessionId: string | undefined, handlers: Handlers): LiveSession | null {
  const client = useQueryClient();
  const [connection, setConnection] = useState<LiveSession | null>(null);
  const latest = useRef(handlers);
  latest.current = handlers;

  useEffect(() => {
    if (sessionId === undefined) return;
    let opened: LiveSession | null = null;
    let isGone = false;
    const refresh = () => client.invalidateQueries({ queryKey: ['live', sessionId] });
    const heard = (message: ServerMessage) => {
      if (message.type === 'file_operation') latest.current.operated(message);
      if (message.type === 'error' && !tellsDeletion(message)) toastRefusal(new Error(message.message));
      if (message.type === 'session_expiring') void refresh();
      if (message.type === 'saved') latest.current.saved(message);
      if (/^participant_/.test(message.type)) {
        void client.invalidateQueries({ queryKey: participantsQuery(sessionId).queryKey });
      }
      if (/^comment_/.test(message.type))
        void client.invalidateQueries({ queryKey: commentsQuery(sessionId).queryKey });
    };
    import('./live-session.ts').then(({ openLive }) => {
      if (isGone) return;
      opened = openLive({ sessionId, heard, connected: refresh, whyRefused: () => whyRefused(sessionId) });
      setConnection(opened);
    }, toastRefusal);
    return () => {
      isGone = true;
      opened?.leave();
      setConnection(null);
    };
  }, [sessionId, client]);
  return connection;
}
