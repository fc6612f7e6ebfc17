// The package's js/common/api.js: the same requests, answered by the core in this page.
import { makeAnalysisApi } from "page/core/analysis-api.js";
import { loadOpenings, reviews, rules, scores } from "./lanes.js";

export { RefusedError, errorMessage, runOrShowError } from "page/texts/refusals.js";

export const hasServer = false;

export const api = makeAnalysisApi({ rules, scores, reviews }, loadOpenings);
