import { Alert, Group } from '@mantine/core';
import type { Place } from '../api/project.ts';
import { AnchorLink } from '../kit/links.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { NoFileOpen } from './no-file-open.tsx';
import { previewWords } from './preview.words.ts';
import type { Deploying } from './use-deploying.ts';

type Props = { place: Place; site: string | null | undefined; deploying: Deploying };

/** Shows the site of the branch, and reloads it when a deployment has gone live. */
export function SitePreview({ place: { projectId, branch }, site, deploying }: Props) {
  const words = useWords(previewWords);
  const { deployment, error } = deploying;
  const wentLive = deployment?.status === 'success' ? deployment.id : '';
  const address = (wentLive && deployment?.url) || site;
  return (
    <>
      <Refusal error={error} />
      {deployment?.status === 'failed' && (
        <Alert color="red" variant="light" radius={0} py={6} role="alert">
          <Group gap="xs">
            {words.failed}
            <AnchorLink
              to="/projects/$projectId/deployments/$deploymentId"
              params={{ projectId, deploymentId: deployment.id }}
              size="sm"
            >
              {words.showLog}
            </AnchorLink>
          </Group>
        </Alert>
      )}
      {address ? (
        // The site has another origin than this page, so it has no rights here.
        <iframe
          key={wentLive}
          className="preview-frame"
          src={address}
          sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
          title={words.live}
        />
      ) : (
        <NoFileOpen title={branch === undefined ? words.notYet : words.branchNotYet} hint={words.notYetHint} />
      )}
    </>
  );
}
