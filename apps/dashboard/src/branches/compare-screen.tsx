import type { Comparison } from '@bottega/contract';
import { Button, Group, Select } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { projectQuery } from '../api/project.ts';
import { useRights } from '../api/rights.ts';
import { ChangedFiles } from '../history/changed-files.tsx';
import { CommitRow } from '../history/commit-row.tsx';
import { BackLink } from '../kit/links.tsx';
import { Loading } from '../kit/loading.tsx';
import { Content, Section, useTitle } from '../kit/page.tsx';
import { Rows } from '../kit/paged-list.tsx';
import { Refusal } from '../kit/refusal.tsx';
import { useWords } from '../words/words.tsx';
import { branchesQuery, comparisonQuery } from './branches-query.ts';
import { Conflicts } from './conflicts.tsx';
import { mergeWords } from './merge.words.ts';
import { MergeDialog } from './merge-dialog.tsx';
import { useMerge } from './use-merge.ts';
import { MergeButtons, Verdict } from './verdict.tsx';

const route = getRouteApi('/inside/projects/$projectId/branches/compare');

/** Shows the changes that one branch has and another does not, with a button to merge them. */
export function CompareScreen() {
  const words = useWords(mergeWords);
  const { projectId } = route.useParams();
  const { base = 'main', head = 'main' } = route.useSearch();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const rights = useRights(project);
  const branches = useQuery(branchesQuery(projectId));
  const comparison = useQuery(comparisonQuery(projectId, { base, head }));
  const merge = useMerge({ projectId, source: head, target: base }, comparison.data);
  const { merging, met, refusal } = merge;
  useTitle(`${words.title} · ${project.name}`);
  const isBranch = branches.data?.some(({ name }) => name === base) ?? false;
  const canMerge = rights.write && isBranch && ['ahead', 'diverged'].includes(comparison.data?.status ?? '');
  const startAgain = () => {
    merge.forget();
    void comparison.refetch();
  };
  if (met) {
    const { details, form } = met;
    return (
      <Content width="wide">
        {refusal && <Refusal error={refusal} retry={startAgain} />}
        <Conflicts
          conflicts={details.conflicts ?? []}
          total={details.total ?? 0}
          names={{ ours: base, theirs: head }}
          isMerging={merging.isPending}
          merge={(resolutions) => merging.mutate({ form, resolutions })}
          cancel={startAgain}
        />
      </Content>
    );
  }
  return (
    <Content>
      <BackLink to="/projects/$projectId/branches" params={{ projectId }}>
        {words.back}
      </BackLink>
      <Ends base={base} head={head} names={branches.data?.map(({ name }) => name) ?? []} />
      <Refusal error={comparison.error} retry={comparison.refetch} />
      {comparison.isPending && <Loading />}
      {comparison.data && (
        <>
          <Verdict comparison={comparison.data} base={base} head={head}>
            {canMerge && (
              <MergeButtons
                projectId={projectId}
                base={base}
                head={head}
                canOffer={branches.data?.some(({ name }) => name === head) ?? false}
                label={comparison.data.mergeable === false ? words.resolve : words.mergeInto(head, base)}
                merge={merge.ask}
              />
            )}
          </Verdict>
          <Found comparison={comparison.data} projectId={projectId} head={head} />
        </>
      )}
      {merge.isAsking && comparison.data && canMerge && (
        <MergeDialog
          source={head}
          target={base}
          canForward={comparison.data.behind === 0}
          hasConflicts={comparison.data.mergeable === false}
          sending={{ error: refusal, isPending: merging.isPending }}
          merge={(form) => merging.mutate({ form })}
          close={startAgain}
        />
      )}
    </Content>
  );
}

function Ends({ base, head, names }: { base: string; head: string; names: string[] }) {
  const words = useWords(mergeWords);
  const navigate = route.useNavigate();
  const show = (search: { base: string; head: string }) => void navigate({ search });
  // The URL may also name a tag or a commit.
  const choices = (value: string) => (names.includes(value) ? names : [value, ...names]);
  const common = { searchable: true, limit: 100, allowDeselect: false } as const;
  return (
    <Group align="flex-end" gap="sm" my="sm">
      <Select
        {...common}
        label={words.head}
        data={choices(head)}
        value={head}
        onChange={(value) => show({ base, head: value ?? head })}
      />
      <Select
        {...common}
        label={words.base}
        data={choices(base)}
        value={base}
        onChange={(value) => show({ base: value ?? base, head })}
      />
      <Button variant="default" onClick={() => show({ base: head, head: base })}>
        {words.swap}
      </Button>
    </Group>
  );
}

function Found({ comparison, projectId, head }: { comparison: Comparison; projectId: string; head: string }) {
  const words = useWords(mergeWords);
  const { commits, ahead, files } = comparison;
  return (
    <>
      {commits.length > 0 && (
        <Section
          title={words.commits}
          {...(ahead > commits.length && { hint: words.someCommits(commits.length, ahead) })}
        >
          <Rows>
            {commits.map((commit) => (
              <CommitRow key={commit.sha} commit={commit} projectId={projectId} branch={head} />
            ))}
          </Rows>
        </Section>
      )}
      {files.length > 0 && (
        <Section title={words.changed}>
          <ChangedFiles files={files} />
        </Section>
      )}
    </>
  );
}
