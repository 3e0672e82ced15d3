import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { projectQuery } from '../api/project.ts';
import { Content, useTitle } from '../kit/page.tsx';
import { useWords } from '../words/words.tsx';
import { connectWords } from './connect.words.ts';
import { ConnectSections } from './connect-sections.tsx';

const route = getRouteApi('/inside/projects/$projectId/connect');

/** The page in the account settings. */
export function ConnectScreen() {
  return <ConnectSections />;
}

export function ProjectConnectScreen() {
  const words = useWords(connectWords);
  const { projectId } = route.useParams();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  useTitle(`${words.title} · ${project.name}`);
  return (
    <Content width="text">
      <ConnectSections projectId={projectId} />
    </Content>
  );
}
