import type { Deployment, ProjectDetail } from '@bottega/contract';
import { Code, Stack, Title } from '@mantine/core';
import { CopyLine } from '../kit/copy-line.tsx';
import { Facts } from '../kit/facts.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { deploymentWords } from './deployment.words.ts';
import { deploymentsWords } from './deployments.words.ts';

type Props = { deployment: Deployment; project: ProjectDetail };

export function DeploymentFacts({ deployment, project }: Props) {
  const list = useWords(deploymentsWords);
  const words = useWords(deploymentWords);
  const { commit, environment_variables: names, url, branch_url, retired_at, is_live, trigger } = deployment;
  const values = {
    [words.address]: url && <CopyLine label={words.address} value={url} />,
    [words.branchAddress]: branch_url && <CopyLine label={words.branchAddress} value={branch_url} />,
    [words.retired]: retired_at && <Ago at={retired_at} />,
    [words.liveAddress]: is_live && project.live_url && <CopyLine label={words.liveAddress} value={project.live_url} />,
    [list.branch]: <Source deployment={deployment} />,
    [words.author]: commit.author,
    [words.trigger]: trigger === 'redeploy' ? words.redeployTrigger : words[trigger],
    [list.build]: <BuildCommand command={deployment.build_command} />,
    [list.output]: deployment.output_directory ?? words.detected,
    [words.variableNames]: names.length === 0 ? words.noVariables : <Code>{names.join(' ')}</Code>,
    [words.id]: <Code>{deployment.id}</Code>,
  };
  return (
    <section>
      <Title order={2} mb="sm">
        {words.details}
      </Title>
      <Stack gap="sm">
        <Facts values={values} />
      </Stack>
    </section>
  );
}

function Source({ deployment: { branch, commit, project_id: projectId } }: { deployment: Deployment }) {
  if (!commit.sha) return branch;
  return (
    <>
      {branch}
      {' · '}
      <AnchorLink
        to="/projects/$projectId/history/$sha"
        params={{ projectId, sha: commit.sha }}
        size="sm"
        ff="monospace"
      >
        {commit.sha.slice(0, 8)}
      </AnchorLink>
    </>
  );
}

/** Null means that the command comes from bottega.json. An empty text means that there is no command. */
function BuildCommand({ command }: { command: string | null }) {
  const words = useWords(deploymentWords);
  if (!command) return command === null ? words.asProject : words.noBuild;
  return (
    <Code block mah={180} tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflow: 'auto' }}>
      {command}
    </Code>
  );
}
