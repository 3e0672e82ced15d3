import type { Deployment, ProjectDetail } from '@bottega/contract';
import { Code } from '@mantine/core';
import { Facts } from '../kit/facts.tsx';
import { AnchorLink } from '../kit/links.tsx';
import { OutsideAddress } from '../kit/outside-address.tsx';
import { Ago } from '../words/time.tsx';
import { useWords } from '../words/words.tsx';
import { deploymentWords } from './deployment.words.ts';
import { deploymentsWords } from './deployments.words.ts';
import { StatusTimeline } from './timeline.tsx';

type Props = { deployment: Deployment; project: ProjectDetail };

/** Where the deployment can be seen: first what people use, and last its own address, which never changes. */
export function DeploymentAddresses({ deployment: { is_live, branch_url, url }, project }: Props) {
  const words = useWords(deploymentWords);
  const addresses: [label: string, url: string | null][] = [
    [words.liveAddress, is_live ? project.live_url : null],
    [words.branchAddress, branch_url],
    [words.address, url],
  ];
  const shown = addresses.flatMap(([label, one]) => (one === null ? [] : [{ label, url: one }]));
  if (shown.length === 0) return null;
  return (
    <div className="surface deployment-row">
      {shown.map((address) => (
        <OutsideAddress key={address.label} {...address} isNamed />
      ))}
    </div>
  );
}

/** The progress of the deployment, and its details in two columns. */
export function DeploymentFacts({ deployment }: Pick<Props, 'deployment'>) {
  const list = useWords(deploymentsWords);
  const words = useWords(deploymentWords);
  const { commit, environment_variables: names, retired_at, trigger } = deployment;
  const values = {
    [list.branch]: <Source deployment={deployment} />,
    [words.author]: commit.author,
    [words.trigger]: trigger === 'redeploy' ? words.redeployTrigger : words[trigger],
    [words.retired]: retired_at && <Ago at={retired_at} />,
    [list.build]: <BuildCommand command={deployment.build_command} />,
    [list.output]: deployment.output_directory ?? words.detected,
    [words.variableNames]: names.length === 0 ? words.noVariables : <Code>{names.join(' ')}</Code>,
    [words.id]: <Code>{deployment.id}</Code>,
  };
  return (
    <div className="surface deployment-details">
      <StatusTimeline deployment={deployment} />
      <section className="deployment-facts" aria-label={words.details}>
        <Facts values={values} />
      </section>
    </div>
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
    <Code block mah={120} tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflow: 'auto' }}>
      {command}
    </Code>
  );
}
