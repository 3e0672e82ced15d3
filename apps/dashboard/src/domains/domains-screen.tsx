import type { Domain } from '@bottega/contract';
import { Stack } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { Content, useTitle } from '../kit/page.tsx';
import { ListSection } from '../kit/paged-list.tsx';
import { useWords } from '../words/words.tsx';
import { AddDomainForm } from './add-domain-form.tsx';
import { DomainCard } from './domain-card.tsx';
import { domainsWords } from './domains.words.ts';
import { domainsQuery } from './domains-query.ts';

const route = getRouteApi('/inside/projects/$projectId/domains');

export function DomainsScreen() {
  const words = useWords(domainsWords);
  const { projectId } = route.useParams();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const domains = useQuery(domainsQuery(projectId));
  const rights = useRights(project);
  const mayChange = rights.manage && project.status === 'active';
  useTitle(`${words.title} · ${project.name}`);
  return (
    <Content>
      <ListSection words={words} answer={domains}>
        {(items) => (
          <Stack>
            {items.map((domain) => (
              <DomainCard key={domain.id} domain={domain} others={targetsOf(domain, items)} mayChange={mayChange} />
            ))}
          </Stack>
        )}
      </ListSection>
      {mayChange && <AddDomainForm projectId={projectId} />}
    </Content>
  );
}

/** A redirect has only one step: its target must not redirect, and a domain that is a target cannot redirect. */
function targetsOf({ domain }: Domain, all: readonly Domain[]): Domain[] {
  if (all.some(({ redirect_to }) => redirect_to === domain)) return [];
  return all.filter((other) => other.domain !== domain && other.redirect_to === null);
}
