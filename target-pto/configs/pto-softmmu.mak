TARGET_ARCH=pto
TARGET_LONG_BITS=64
TARGET_SUPPORTS_MTTCG=y
TARGET_NEED_FDT=y
TARGET_XML_FILES=target/pto/gdb/pto-core.xml target/pto/gdb/pto-rvalias.xml target/pto/gdb/pto-system.xml target/pto/gdb/pto-files.xml
