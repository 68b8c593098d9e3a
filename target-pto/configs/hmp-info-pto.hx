    {
        .name       = "pto-tiles",
        .args_type  = "",
        .params     = "",
        .help       = "show the PTO tile registers, pools and the last tile fault",
    },

SRST
  ``info pto-tiles``
    Show the PTO tile registers, pools and the last tile fault.
ERST
