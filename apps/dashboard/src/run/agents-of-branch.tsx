import type { Workspace } from '@bottega/contract';
import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Place } from '../api/project.ts';
import { useSignedIn } from '../api/session.ts';
import { Doing, Name } from './agents-strip.tsx';
import { agentsQuery, workspaceOn, workspacesQuery } from './workspaces-query.ts';

/** The agents in the workspace of the branch, as items of the list of people. */
export function AgentsOfBranch({ place: { projectId, branch = 'main' } }: { place: Place }) {
  const { user } = useSignedIn();
  const { data = [] } = useQuery(workspacesQuery(projectId));
  const workspace = workspaceOn(data, branch, user.id);
  return workspace?.status === 'running' && <Agents workspace={workspace} />;
}

function Agents({ workspace }: { workspace: Workspace }) {
  const { data = [] } = useQuery(agentsQuery(workspace));
  return data.map((agent) => (
    <Box component="li" key={agent.id} py={6}>
      <Name agent={agent} />
      <Doing agent={agent} />
    </Box>
  ));
}
