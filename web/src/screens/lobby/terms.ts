/** On what terms a table with a master is played, as the form of the page has them. */

import type { NewTerms, TermsInfo } from '../../house/types';

export type TermsForm = { [Term in keyof NewTerms]-?: NonNullable<NewTerms[Term]> };

export const USUAL_TERMS: TermsForm = {
  mastered: false,
  description: '',
  anonymous: false,
  silent: false,
  manual: false,
  handed_on: false,
  fast: false,
  absences: true,
  extensions: true,
  access_code: 0,
  reliability: 0,
  regularity: 0,
  performance: 0,
};

/** The terms of a table as its form has them; what is only told is left out. */
export function formOf(terms: TermsInfo): TermsForm {
  const { has_code: _, deal: __, access_code, ...rest } = terms;
  return { ...rest, access_code: access_code ?? 0 };
}
