import { serve } from "./arena.js";
import { choose } from "./choose.js";

serve(choose);
