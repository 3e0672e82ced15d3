import { ask, type Channel } from '../agent/channels.mjs';
import { type ActingAgent, stoppedWords } from '../state/index.ts';
import { within } from './within.ts';

type Request = Record<string, unknown>;
type Begun = { id: string; kind: 'run' | 'terminal'; command: string; cwd: string; started_at: number };
type Known = ActingAgent & { user_id: string; last_command_at: number; running: Map<string, Begun> };

export type SeenAgent = Omit<Known, 'running'> & { commands: Omit<Begun, 'kind'>[] };

/** A list of this many agents, with this many commands each, fits into one frame. */
const mostAgents = 50;
const mostRunning = 1_000;
const mostCommands = 5;
const mostCommand = 200;
const mostPath = 300;
const keptMs = 15 * 60_000;
const graceMs = 2_000;

/**
 * The agents, which are programs that use a workspace for a user through MCP or with a key, and their commands in this
 * run. The worker takes the agent's name from the requests that it passes on, because a process in the sandbox cannot
 * prove who started it.
 */
export function createAgents(open: (request: Request) => Channel) {
  const agents = new Map<string, Known>();
  const stopped = new Set<string>();

  /** Records that a command or terminal has started. `ended` resolves when it has ended. */
  function started(request: Request, ended: Promise<unknown>): void {
    const agent = agentIn(request);
    if (!agent) return;
    const { user, command, cwd } = request;
    const [id, kind] = [String(request.id), request.kind === 'run' ? 'run' : 'terminal'] as const;
    const known: Known = agents.get(agent.id) ?? {
      ...agent,
      user_id: String(user),
      last_command_at: 0,
      running: new Map(),
    };
    const now = Date.now();
    known.last_command_at = now;
    const text = String(command ?? '').slice(0, mostCommand);
    known.running.set(id, { id, kind, command: text, cwd: String(cwd ?? '.').slice(0, mostPath), started_at: now });
    const [oldest] = known.running.size > mostRunning ? known.running.keys() : [];
    if (oldest !== undefined) known.running.delete(oldest);
    // Moves the agent to the end of the list, because it is now the one that was active last.
    agents.delete(agent.id);
    agents.set(agent.id, known);
    forgetOld();
    void ended.then(() => known.running.delete(id));
    // The agent was stopped while this request was on its way.
    if (stopped.has(agent.id)) void end(id, kind, 'SIGKILL');
  }

  function forgetOld(): void {
    const isOld = ({ last_command_at: at, running }: Known) => running.size === 0 && Date.now() - at > keptMs;
    for (const [id, known] of agents) if (agents.size > mostAgents || isOld(known)) agents.delete(id);
  }

  const end = (id: string, kind: Begun['kind'], signal: 'SIGTERM' | 'SIGKILL') =>
    ask(open(kind === 'run' ? { kind: 'signal', id, signal } : { kind: 'close', id })).catch(() => undefined);

  async function stop(id: string): Promise<void> {
    stopped.add(id);
    const running = () => [...(agents.get(id)?.running.values() ?? [])];
    await Promise.all(running().map((one) => end(one.id, one.kind, 'SIGTERM')));
    const waiting = Promise.all(running().map((one) => ask(open({ kind: 'wait', id: one.id, ms: graceMs }))));
    await within(
      graceMs,
      waiting.catch(() => undefined),
    );
    await Promise.all(running().map((one) => end(one.id, one.kind, 'SIGKILL')));
  }

  function list(): SeenAgent[] {
    forgetOld();
    return [...agents.values()].reverse().map(({ running, ...agent }) => ({
      ...agent,
      commands: [...running.values()]
        .filter(({ kind }) => kind === 'run')
        .slice(-mostCommands)
        .reverse()
        .map(({ kind: _kind, ...command }) => command),
    }));
  }

  return {
    started,
    /** Answers a stream that is about agents, and refuses a stream of a stopped agent. False for any other stream. */
    serve(from: Channel): boolean {
      const { kind, id } = from.request as { kind: string; id: string };
      if (stopped.has(agentIn(from.request)?.id ?? '')) from.fail({ code: 'STOPPED', message: stoppedWords });
      else if (kind === 'agents') from.finish(list());
      else if (kind === 'stop_agent') void stop(id).then(() => from.finish({}));
      else if (kind === 'resume_agent') from.finish({ was: stopped.delete(id) });
      else return false;
      from.resume();
      return true;
    },
  };
}

export type Agents = ReturnType<typeof createAgents>;

/** The agent that a request names. It needs no check, because requests come only from nodes of the service. */
function agentIn({ kind, agent }: Request): ActingAgent | null {
  return kind === 'run' || kind === 'terminal' ? ((agent as ActingAgent | null | undefined) ?? null) : null;
}
