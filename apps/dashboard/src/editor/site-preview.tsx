import type { ProjectDetail } from '@bottega/contract';
import { Alert, Group } from '@mantine/core';
import { AnchorLink } from '../kit/links.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { NoFileOpen } from './no-file-open.tsx';
import { previewWords } from './preview.words.ts';
import type { Deploying } from './use-deploying.ts';

/** The project's own site, reloaded once a deployment has gone live. */
export function SitePreview({ project, deploying }: { project: ProjectDetail; deploying: Deploying }) {
  const words = useWords(previewWords);
  const { deployment, error } = deploying;
  const wentLive = deployment?.status === 'success' ? deployment.id : '';
  const address = (wentLive && deployment?.url) || project.live_url;
  return (
    <>
      <Refusal error={error} />
      {deployment?.status === 'failed' && (
        <Alert color="red" variant="light" radius={0} py={6} role="alert">
          <Group gap="xs">
            {words.failed}
            <AnchorLink
              to="/projects/$projectId/deployments/$deploymentId"
              params={{ projectId: project.id, deploymentId: deployment.id }}
              size="sm"
            >
              {words.showLog}
            </AnchorLink>
          </Group>
        </Alert>
      )}
      {address ? (
        // It has another origin than this page, so it has no rights here.
        <iframe
          key={wentLive}
          className="preview-frame"
          src={address}
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
          title={words.live}
        />
      ) : (
        <NoFileOpen title={words.notYet} hint={words.notYetHint} />
      )}
    </>
  );
}
