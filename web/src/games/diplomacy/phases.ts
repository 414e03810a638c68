/** What phases are called, by the season of a year. */

export { phaseWhat as phaseKind, seasonName as phaseName } from './seasons/calendar';
