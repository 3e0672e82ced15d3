import './deployments.css';
import type { Deployment, ProjectDetail } from '@bottega/contract';
import { Text } from '@mantine/core';
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { placeOf, projectQuery } from '../api/project.ts';
import { DetailHeading, DetailPage } from '../kit/detail-page.tsx';
import { environmentName } from '../kit/environments.ts';
import { BackLink } from '../kit/links.tsx';
import { Content, useTitle } from '../kit/page.tsx';
import { useWords } from '../words/words.tsx';
import { AppTrouble } from './app-trouble.tsx';
import { deploymentWords } from './deployment.words.ts';
import { DeploymentActions } from './deployment-actions.tsx';
import { DeploymentAddresses, DeploymentFacts } from './deployment-facts.tsx';
import { deploymentsWords } from './deployments.words.ts';
import { deploymentQuery, deploymentsKey, logLink } from './deployments-query.ts';
import { Failure } from './failure.tsx';
import { LogPanel } from './log-panel.tsx';
import { LiveBadge, StatusLabel } from './status-label.tsx';
import { useLog } from './use-log.ts';

const route = getRouteApi('/inside/projects/$projectId/deployments/$deploymentId');

export function DeploymentScreen() {
  const list = useWords(deploymentsWords);
  const words = useWords(deploymentWords);
  const { projectId, deploymentId } = route.useParams();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const answer = useQuery(deploymentQuery(projectId, deploymentId));
  useTitle(`${list.title} · ${project.name}`);
  const back = (
    <BackLink to="/projects/$projectId/deployments" params={{ projectId }}>
      {words.back}
    </BackLink>
  );
  return (
    <Content width="wide">
      <DetailPage back={back} answer={answer}>
        {(deployment) => <Detail key={deployment.id} deployment={deployment} project={project} />}
      </DetailPage>
    </Content>
  );
}

function Detail({ deployment, project }: { deployment: Deployment; project: ProjectDetail }) {
  const list = useWords(deploymentsWords);
  const client = useQueryClient();
  const { line, log: chosen } = route.useSearch();
  const navigate = route.useNavigate();
  const { id, project_id: projectId } = deployment;
  // If the app did not start, or no longer runs, its own log shows why.
  const isDown = deployment.error?.type === 'unhealthy' || (!deployment.error && deployment.app?.status === 'failed');
  const source = chosen ?? (isDown ? 'runtime' : 'build');
  const log = useLog(logLink(projectId, id, source), {
    // The deployment may have gone live automatically. The list and the project show that too.
    onEnd: () => {
      client.invalidateQueries({ queryKey: deploymentsKey(projectId) });
      client.invalidateQueries({ queryKey: ['projects', projectId], exact: true });
    },
    onLine: () => source === 'runtime' && client.invalidateQueries(deploymentQuery(projectId, id)),
  });
  return (
    <>
      <DetailHeading
        title={deployment.commit.message?.split('\n', 1)[0] || list.untitled}
        status={<Status deployment={deployment} />}
        actions={<DeploymentActions project={project} deployment={deployment} />}
      />
      {deployment.error && <Failure error={deployment.error} place={placeOf(projectId, deployment.branch)} />}
      <AppTrouble deployment={deployment} />
      <DeploymentAddresses deployment={deployment} project={project} />
      <div className="deployment-parts">
        <DeploymentFacts deployment={deployment} />
        <LogPanel
          log={log}
          name={id}
          line={line}
          source={source}
          choose={
            deployment.app !== null || deployment.status !== 'success'
              ? (next) => void navigate({ search: { log: next }, replace: true })
              : undefined
          }
          app={deployment.app}
        />
      </div>
    </>
  );
}

function Status({ deployment }: { deployment: Deployment }) {
  const words = useWords(deploymentsWords);
  return (
    <>
      <StatusLabel deployment={deployment} />
      <Text size="sm">{environmentName(words, deployment.environment)}</Text>
      {deployment.is_live && <LiveBadge />}
    </>
  );
}
