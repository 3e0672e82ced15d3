import type { Deployment } from '@bottega/contract';
import { Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { ButtonLink } from '../kit/links.tsx';
import { Reason } from '../kit/reason.tsx';
import { Problem } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { deploymentWords } from './deployment.words.ts';

const route = getRouteApi('/inside/projects/$projectId/deployments/$deploymentId');

/** Why the app of a successful deployment does not run, or why it was restarted. */
export function AppTrouble({ deployment: { app, error } }: { deployment: Deployment }) {
  const words = useWords(deploymentWords);
  const params = route.useParams();
  // If the deployment failed because its app did not start, its own error says so.
  if (!app?.problem || error) return null;
  const why = <Reason field="problem" of={app} />;
  if (app.status !== 'failed') {
    return (
      <Text size="sm" c="dimmed">
        {words.restarted(app.restarts)} {why}.
      </Text>
    );
  }
  return (
    <Problem title={words.appFailed}>
      <Text size="sm" className="breaks-anywhere">
        {why}
      </Text>
      <Text size="sm" c="dimmed">
        {words.appFailedHint}
      </Text>
      <ButtonLink
        {...{ params }}
        to="/projects/$projectId/deployments/$deploymentId"
        search={{ log: 'runtime' }}
        size="compact-sm"
        variant="default"
        mt={6}
      >
        {words.showRuntimeLog}
      </ButtonLink>
    </Problem>
  );
}
