import { routes } from '@bottega/contract';
import { Type } from 'typebox';
import { showFromOffset } from './lists.ts';
import { asRefusal, hasFailed, jsonOf } from './results.ts';
import { defineTool, limit, offset, projectId } from './tool.ts';

export const listSessions = defineTool({
  name: 'list_sessions',
  title: 'List live sessions',
  description: 'Lists open live sessions. Changes by tools appear immediately in files that are open there.',
  route: routes.listSessions,
  input: Type.Object({ project_id: Type.Optional(projectId), limit: limit(50, 20), offset }),
  async run({ api }, { project_id, ...query }) {
    const answer = await api(routes.listSessions, { query: { ...query, workspace_id: project_id } });
    if (hasFailed(answer)) return asRefusal(answer);
    const { sessions, ...rest } = jsonOf(answer) as { sessions: Record<string, unknown>[] };
    // An invite link lets anyone in who has it; a model does not need one.
    const shown = sessions.map(({ invite_link: _link, ...session }) => session);
    return showFromOffset('sessions')({ ...rest, sessions: shown }, query);
  },
});
